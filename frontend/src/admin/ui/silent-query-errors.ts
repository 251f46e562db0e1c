/** For lists that show their failure in their own place: react-admin need not tell it a second time. */
export const silentQueryErrors = { onError: () => undefined };
