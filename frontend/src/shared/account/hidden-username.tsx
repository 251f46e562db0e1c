/** Tells a password manager whose password is being set; nobody sees it or comes to it by keyboard. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />;
}
