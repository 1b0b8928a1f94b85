/** The exit codes of all commands. */
export const EXIT = { done: 0, finding: 1, usage: 2 } as const;
