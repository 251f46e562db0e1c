import { useRef, type KeyboardEvent, type FocusEvent, type MouseEvent, type ReactNode } from 'react';

interface Props {
  label: string;
  face: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A button that opens a small panel; Escape, a choice, or leaving it closes it. */
export function DisclosureMenu({ label, face, children, className = '' }: Props) {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = () => ref.current?.removeAttribute('open');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !ref.current?.open) return;
    // It closes this and nothing behind it.
    event.preventDefault();
    close();
    ref.current?.querySelector('summary')?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget && !ref.current?.contains(event.relatedTarget)) close();
  };
  const onClick = (event: MouseEvent) => {
    if ((event.target as Element).closest('a, button')) close();
  };
  return (
    <details ref={ref} className={`z-menu ${className}`} onKeyDown={onKeyDown} onBlur={onBlur} onClick={onClick}>
      <summary aria-label={label}>{face}</summary>
      <div className="z-menu-panel">{children}</div>
    </details>
  );
}
