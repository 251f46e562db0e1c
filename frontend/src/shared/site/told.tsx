import { useContext, type ReactNode } from 'react';
import { Drawing, useFacts, type Fact } from './facts';

/** Shows what tells of these facts when at least one of them is known; in a drawn page the server decides. */
export function Told({ of, children }: { of: readonly Fact[]; children: ReactNode }) {
  const drawing = useContext(Drawing);
  const facts = useFacts();
  if (!drawing) return of.some((fact) => facts[fact] !== null) ? children : null;
  const names = of.join('|');
  return (
    <>
      {`[[?${names}]]`}
      {children}
      {`[[/${names}]]`}
    </>
  );
}
