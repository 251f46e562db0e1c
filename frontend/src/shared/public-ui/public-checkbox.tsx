import type { ReactNode } from 'react';

interface Props {
  id: string;
  checked: boolean;
  error?: string;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A checkbox with its label beside it and the error below. For signed-out pages, which don't load MUI. */
export function PublicCheckbox({ id, checked, error, onChange, children }: Props) {
  const errorId = `${id}-error`;
  return (
    <div className="z-check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-invalid={Boolean(error)}
        aria-describedby={error ? errorId : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{children}</label>
      {error && (
        <span id={errorId} className="z-note z-note-error">
          {error}
        </span>
      )}
    </div>
  );
}
