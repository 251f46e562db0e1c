import type { ReactNode } from 'react';

interface Props {
  id: string;
  checked: boolean;
  error?: string;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A box to tick, with its sentence beside it and the error below. */
export function PlainCheck({ id, checked, error, onChange, children }: Props) {
  const noteId = `${id}-note`;
  return (
    <div className="z-check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-invalid={Boolean(error)}
        aria-describedby={error ? noteId : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{children}</label>
      {error && (
        <span id={noteId} className="z-note z-note-error">
          {error}
        </span>
      )}
    </div>
  );
}
