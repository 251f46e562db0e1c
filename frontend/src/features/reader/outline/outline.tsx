import { useEffect, useMemo, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { chapterAt, chaptersOf, type Chapter } from './outline-tree';

interface Props {
  outline: readonly Schema<'OutlineEntryDto'>[];
  /** The page that is read. */
  page: number;
  onGo: (page: number) => void;
}

/** The chapters of a document, as lists within lists; the one that is read is marked. */
export function Outline({ outline, page, onGo }: Props) {
  const { t } = useTranslation('reader');
  const box = useRef<HTMLElement>(null);
  const chapters = useMemo(() => chaptersOf(outline), [outline]);
  const current = chapterAt(outline, page);
  useKeptInView(box, current);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepTo(event.key, box.current);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  return (
    <nav ref={box} className="z-reader-outline" aria-label={t('contents')} onKeyDown={onKeyDown}>
      <Chapters {...{ chapters, current, onGo }} />
    </nav>
  );
}

interface ChaptersProps {
  chapters: readonly Chapter[];
  current: number;
  onGo: (page: number) => void;
}

function Chapters({ chapters, current, onGo }: ChaptersProps) {
  const { t } = useTranslation('reader');
  const face = ({ at, title, page }: Chapter) =>
    page === null ? (
      <span>{title}</span>
    ) : (
      <button type="button" aria-current={at === current ? 'location' : undefined} onClick={() => onGo(page)}>
        <span>{title}</span>
        <span aria-hidden>{page}</span>
        <span className="z-visually-hidden">{t('page', { page })}</span>
      </button>
    );
  return (
    <ul>
      {chapters.map((chapter) => (
        <li key={chapter.at}>
          {face(chapter)}
          {chapter.children.length > 0 && <Chapters {...{ current, onGo }} chapters={chapter.children} />}
        </li>
      ))}
    </ul>
  );
}

/** The chapter to which a key leads; all can be reached by Tab as well. */
function stepTo(key: string, box: HTMLElement | null): HTMLElement | undefined {
  const all = [...(box?.querySelectorAll('button') ?? [])];
  const at = all.findIndex((one) => one === document.activeElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
  const to = steps[key];
  return to === undefined ? undefined : all[Math.min(all.length - 1, Math.max(0, to))];
}

/** The outline goes along with what is read, unless that is in view already. */
function useKeptInView(box: RefObject<HTMLElement | null>, current: number) {
  useEffect(() => {
    const list = box.current;
    const marked = list?.querySelector<HTMLElement>('[aria-current]');
    if (!list || !marked) return;
    const [around, mark] = [list.getBoundingClientRect(), marked.getBoundingClientRect()];
    if (mark.top >= around.top && mark.bottom <= around.bottom) return;
    list.scrollBy({ top: mark.top - around.top - around.height / 3, behavior: 'instant' });
  }, [box, current]);
}
