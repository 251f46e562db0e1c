import { useRef, type KeyboardEvent, type FocusEvent, type MouseEvent, type ReactNode } from 'react';

interface Props {
  label: string;
  trigger: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A button that opens a small panel. Escape, a choice, or moving the focus out closes it. */
export function DisclosureMenu({ label, trigger, children, className = '' }: Props) {
  const detailsRef = useRef<HTMLDetailsElement>(null);
  const close = () => detailsRef.current?.removeAttribute('open');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !detailsRef.current?.open) return;
    // Closes only this panel and nothing behind it.
    event.preventDefault();
    close();
    detailsRef.current?.querySelector('summary')?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget && !detailsRef.current?.contains(event.relatedTarget)) close();
  };
  const onClick = (event: MouseEvent) => {
    if ((event.target as Element).closest('a, button')) close();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles events of the panel inside
    <details ref={detailsRef} className={`z-menu ${className}`} onKeyDown={onKeyDown} onBlur={onBlur} onClick={onClick}>
      <summary aria-label={label}>{trigger}</summary>
      <div className="z-menu-panel">{children}</div>
    </details>
  );
}
