import type { ComponentProps, ReactNode } from 'react';
import './public-ui.css';

interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  isPending: boolean;
}

/** A button of the public pages. While its action is pending, it shows progress, ignores clicks and keeps the focus. */
export function PublicButton({ isPending, className = '', onClick, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={`z-button ${className}`}
      aria-disabled={isPending}
      onClick={isPending ? undefined : onClick}
    >
      {isPending && <span className="z-spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** Primary button of a form on the public pages. `useForm` ignores clicks while submitting. */
export function PublicSubmitButton({ isSubmitting, children }: { isSubmitting: boolean; children: ReactNode }) {
  return (
    <PublicButton type="submit" isPending={isSubmitting} className="z-button-main z-button-wide">
      {children}
    </PublicButton>
  );
}
