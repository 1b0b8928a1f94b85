/** What all requests together hold at the moment. */
export class Load {
  requests = 0;
  bodyBytes = 0;
  #onIdle = (): void => {};

  leave(bodyBytes: number): void {
    this.requests -= 1;
    this.bodyBytes -= bodyBytes;
    if (this.requests === 0) this.#onIdle();
  }

  async idleWithin(milliseconds: number): Promise<void> {
    if (this.requests === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
  }
}
