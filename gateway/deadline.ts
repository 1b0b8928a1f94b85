/** What `work` comes to, or the failure that `late` makes when it takes longer. The work itself goes on. */
export async function withDeadline<T>(work: Promise<T> | T, milliseconds: number, late: () => Error): Promise<T> {
  if (!(work instanceof Promise)) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
