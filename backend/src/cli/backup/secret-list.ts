/** Whether one list of secrets holds all of another: what those have signed is then still read. */
export function containsAllSecrets(list: string, required: string): boolean {
  const secrets = new Set(parseSecretList(list));
  return parseSecretList(required).every((secret) => secrets.has(secret));
}

/** With commas between them, as in the variable, or one a line, as in the file. */
const parseSecretList = (list: string): string[] =>
  list
    .split(/[,\r\n]/)
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
