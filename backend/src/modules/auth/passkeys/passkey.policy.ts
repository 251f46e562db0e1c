import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** At most so many of one person. */
export const MOST_PASSKEYS = 10;

const BASE64URL = /^[\w-]+$/;
/** Characters in base64url: an id has 1023 bytes at most. */
const LONGEST_ID = 1364;
const LONGEST_PART = 16_000;

const isPart = (value: unknown, longest = LONGEST_PART): value is string =>
  typeof value === 'string' && value.length <= longest && BASE64URL.test(value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasParts(value: unknown, parts: readonly string[]): value is Record<string, Record<string, unknown>> {
  if (!isObject(value) || !isObject(value.response)) return false;
  if (value.type !== 'public-key' || !isPart(value.id, LONGEST_ID) || value.rawId !== value.id) return false;
  const { response } = value;
  return parts.every((part) => isPart(response[part]));
}

/** Whether something has the form of what a browser answers when a passkey signs in; nothing of it is verified here. */
export function isAuthentication(value: unknown): value is AuthenticationResponseJSON {
  if (!hasParts(value, ['clientDataJSON', 'authenticatorData', 'signature'])) return false;
  const { userHandle } = value.response!;
  return userHandle === undefined || userHandle === null || userHandle === '' || isPart(userHandle);
}

/** Whether something has the form of what a browser answers when a passkey was made; nothing of it is verified here. */
export function isRegistration(value: unknown): value is RegistrationResponseJSON {
  if (!hasParts(value, ['clientDataJSON', 'attestationObject'])) return false;
  const { transports } = value.response!;
  if (transports === undefined) return true;
  return Array.isArray(transports) && transports.length <= 10 && transports.every((one) => isPart(one, 20));
}
