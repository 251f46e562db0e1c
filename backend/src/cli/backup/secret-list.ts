/** Whether one list of secrets contains all secrets of another, so that their signatures remain valid. */
export function containsAllSecrets(list: string, required: string): boolean {
  const secrets = new Set(parseSecretList(list));
  return parseSecretList(required).every((secret) => secrets.has(secret));
}

/** Separated by commas, as in the variable, or by line breaks, as in the file. */
const parseSecretList = (list: string): string[] =>
  list
    .split(/[,\r\n]/)
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
