import { Link } from 'react-router';
import { useAppName } from '../site/app-name';

/** The product's logo, in the colour of the surrounding text. */
export function LogoMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect x="2" y="2" width="28" height="28" rx="8" fill="currentColor" />
      <path
        d="M10.5 10.5h11l-11 11h11"
        fill="none"
        stroke="var(--z-surface)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/**
 * Logo, name and Beta badge, linking to the home page.
 * @param compact shows only the logo on phones, to leave space for the plan badge
 */
export function Logo({ compact = false }: { compact?: boolean }) {
  const name = useAppName();
  return (
    <Link to="/" className={compact ? 'z-logo z-logo-compact' : 'z-logo'}>
      <LogoMark />
      <span className="z-logo-name">
        <span className="z-logo-text" title={name}>
          {name}
        </span>{' '}
        <span className="z-badge">Beta</span>
      </span>
    </Link>
  );
}
