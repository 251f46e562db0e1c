/** Yields the chunks of a source and ends normally when it fails, because what has arrived is kept. */
export async function* untilFailure(
  source: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    onFailure(error);
  }
}
