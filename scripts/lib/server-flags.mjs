/**
 * How the server's Node is tuned. Buffers of an upload live outside V8's heap and are freed only when the young
 * generation is collected: with the usual 16 MB of it a 100 MB upload raised the memory by 65 MB, with 4 MB by 36 at
 * most. Workers take no uploads and keep Node's own setting: with 4 MB a fifth of the time of sending goes into collecting.
 */
export const serverFlags = ['--max-semi-space-size=4'];
