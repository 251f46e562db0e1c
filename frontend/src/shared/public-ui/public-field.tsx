import type { ReactNode } from 'react';
import type { FieldProps } from '../forms/use-form';
import './public-ui.css';

export interface PublicFieldProps extends FieldProps {
  label: string;
  help?: ReactNode;
  type?: string;
  autoComplete?: string;
  inputMode?: 'text' | 'numeric' | 'email';
  maxLength?: number;
  placeholder?: string;
  autoFocus?: boolean;
  /** An icon or a button over the end of the input. */
  endAdornment?: ReactNode;
  onFocus?: () => void;
}

/** Text field of the public pages: label above, help below, the error in place of the help. */
export function PublicField({ label, help, error, endAdornment, ...input }: PublicFieldProps) {
  const note = error ?? help;
  const noteId = `${input.id}-note`;
  return (
    <div className="z-field">
      <label className="z-label" htmlFor={input.id}>
        {label}
      </label>
      <div className="z-input-box">
        <input
          {...input}
          className="z-input"
          aria-invalid={Boolean(error)}
          aria-describedby={note ? noteId : undefined}
        />
        {endAdornment}
      </div>
      {note && (
        <span id={noteId} className={error ? 'z-note z-note-error' : 'z-note'}>
          {note}
        </span>
      )}
    </div>
  );
}
