/** For lists that show their own errors, so that react-admin shows no second message. */
export const silentQueryErrors = { onError: () => undefined };
