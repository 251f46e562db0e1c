import type { ReactNode } from 'react';
import { useTitle } from '../../../shared/hooks/use-title';
import '../../../shared/public-ui/public-ui.css';
import '../auth.css';

interface Props {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** The card around a form of the auth pages. */
export function AuthCard({ title, text, children }: Props) {
  useTitle(title);
  return (
    <div className="z-card z-auth-card">
      <h1 className="z-title">{title}</h1>
      {text && <p className="z-auth-text z-second">{text}</p>}
      {children}
    </div>
  );
}
