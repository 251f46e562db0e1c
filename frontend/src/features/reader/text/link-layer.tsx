import { memo, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { ShownLink } from './page-links';
import { placed } from './text-line';

interface Props {
  links: readonly ShownLink[];
  onGo: (page: number) => void;
}

/** The links of a page over its picture, in the order in which they are read. */
export const LinkLayer = memo(function LinkLayer({ links, onGo }: Props) {
  return links.map((link, at) =>
    link.page === undefined ? <Outside key={at} link={link} /> : <Inside key={at} link={link} onGo={onGo} />,
  );
});

function Inside({ link, onGo }: { link: ShownLink; onGo: (page: number) => void }) {
  const { t } = useTranslation('reader');
  const { pathname } = useLocation();
  const page = link.page!;
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onGo(page);
  };
  return (
    <a
      className="z-reader-link"
      style={placed(link)}
      href={`${pathname}?page=${page}`}
      aria-label={named(link.text, t('goTo', { page }))}
      title={t('goTo', { page })}
      onClick={follow}
    />
  );
}

/** Says where it leads before anybody goes there: what stands in a document may say something else. */
function Outside({ link }: { link: ShownLink }) {
  const { t } = useTranslation('reader');
  const leads = t('text.opens', { host: link.host });
  return (
    <a
      className="z-reader-link"
      style={placed(link)}
      href={link.url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={named(link.text, leads)}
      title={leads}
    />
  );
}

const named = (text: string, leads: string) => (text === '' ? leads : `${text} – ${leads}`);
