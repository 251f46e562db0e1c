import type { ReactNode } from 'react';
import type { FieldProps } from '../forms/use-form';

interface Props extends FieldProps {
  label: string;
  help?: ReactNode;
  type?: string;
  autoComplete?: string;
  inputMode?: 'text' | 'numeric' | 'email';
  placeholder?: string;
}

/** Text field of the public pages: label above, help below, the error in place of the help. */
export function PublicField({ label, help, error, ...input }: Props) {
  const note = error ?? help;
  const noteId = `${input.id}-note`;
  return (
    <div className="z-field">
      <label className="z-label" htmlFor={input.id}>
        {label}
      </label>
      <input
        {...input}
        className="z-input"
        aria-invalid={Boolean(error)}
        aria-describedby={note ? noteId : undefined}
      />
      {note && (
        <span id={noteId} className={error ? 'z-note z-note-error' : 'z-note'}>
          {note}
        </span>
      )}
    </div>
  );
}
