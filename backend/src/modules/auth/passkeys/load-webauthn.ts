/** Imports the WebAuthn library with its first use: it takes a twelfth of the time that the server needs to load. */
export const loadWebAuthn = () => import('@simplewebauthn/server');
