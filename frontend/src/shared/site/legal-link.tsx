import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../api/client';
import { useSite } from './use-site';

export type LegalPage = keyof Schema<'SiteDto'>['legal'];

/** URLs of the legal pages; null where there is none or it isn't known yet. */
export function useLegalUrls(): Readonly<Record<LegalPage, string | null>> {
  const { data: site } = useSite();
  return { terms: null, privacy: null, imprint: null, ...site?.legal };
}

interface Props {
  page: LegalPage;
  /** For links beside a form, whose input would be lost by leaving the page. */
  opensNewTab?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * Link to a legal page, built-in or external. Renders nothing if none is configured. A privacy page always exists.
 */
export function LegalLink({ page, opensNewTab = false, className, children }: Props) {
  const to = useLegalUrls()[page] ?? (page === 'privacy' ? '/privacy' : null);
  if (to === null) return null;
  const target = opensNewTab ? '_blank' : undefined;
  if (to.startsWith('/')) {
    return (
      <Link className={className} to={to} target={target}>
        {children}
      </Link>
    );
  }
  return (
    <a className={className} href={to} target={target} rel="noreferrer">
      {children}
    </a>
  );
}
