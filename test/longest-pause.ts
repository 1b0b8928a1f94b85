/** The longest time for which nothing else could run on the thread of the test, in milliseconds. */
export async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let [longest, before] = [0, performance.now()];
  const look = (): void => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  };
  const timer = setInterval(look, 5);
  await work();
  look();
  clearInterval(timer);
  return longest;
}
