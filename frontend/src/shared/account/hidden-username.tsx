/** Tells password managers which account a new password belongs to. Neither visible nor focusable. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />;
}
