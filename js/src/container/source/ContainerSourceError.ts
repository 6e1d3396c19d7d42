/**
 * The source of a container file could not be read: a server answered with an error, or the file
 * changed while it was being read.
 *
 * @example
 * try {
 *   await ContainerReader.open('https://example.com/missing.pkd');
 * } catch (error) {
 *   error.status; // 404
 * }
 */
export class ContainerSourceError extends Error {
  override readonly name = 'ContainerSourceError';
  /** The status of the answer, where a server gave one. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
