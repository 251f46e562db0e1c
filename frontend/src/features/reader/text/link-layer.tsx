import { memo, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { ResolvedLink } from './page-links';
import { rectStyle } from './text-lines';

interface Props {
  links: readonly ResolvedLink[];
  onGoToPage: (page: number) => void;
}

/** The links of a page on top of its image, in reading order. */
export const LinkLayer = memo(function LinkLayer({ links, onGoToPage }: Props) {
  return links.map((link, index) =>
    link.page === undefined ? (
      <ExternalLink key={index} link={link} />
    ) : (
      <InternalLink key={index} link={link} onGoToPage={onGoToPage} />
    ),
  );
});

function InternalLink({ link, onGoToPage }: { link: ResolvedLink; onGoToPage: (page: number) => void }) {
  const { t } = useTranslation('reader');
  const { pathname } = useLocation();
  const page = link.page!;
  const handleClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onGoToPage(page);
  };
  return (
    <a
      className="z-reader-link"
      style={rectStyle(link)}
      href={`${pathname}?page=${page}`}
      aria-label={linkLabel(link.text, t('goTo', { page }))}
      title={t('goTo', { page })}
      onClick={handleClick}
    />
  );
}

/** Asks for confirmation with the actual target, because the link text in a document may be misleading. */
function ExternalLink({ link }: { link: ResolvedLink }) {
  const { t } = useTranslation('reader');
  const destination = t('text.opens', { host: link.host });
  return (
    <a
      className="z-reader-link"
      style={rectStyle(link)}
      href={link.url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={linkLabel(link.text, destination)}
      title={destination}
    />
  );
}

const linkLabel = (text: string, destination: string) => (text === '' ? destination : `${text} – ${destination}`);
