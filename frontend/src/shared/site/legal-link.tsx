import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../api/client';
import { useSite } from './use-site';

export type LegalPage = keyof Schema<'SiteDto'>['legal'];

/** Where each of them can be read; null where nothing is said, or it is not known. */
export function useLegalUrls(): Readonly<Record<LegalPage, string | null>> {
  const { data: site } = useSite();
  return { terms: null, privacy: null, imprint: null, ...site?.legal };
}

interface Props {
  page: LegalPage;
  /** Beside a form, whose fields would be lost if the page were left. */
  opensNewTab?: boolean;
  className?: string;
  children: ReactNode;
}

/** A link to one of them, here or elsewhere, where there is such; of privacy there is always a page. */
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
