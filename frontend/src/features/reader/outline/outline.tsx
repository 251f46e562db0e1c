import { useEffect, useMemo, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { findChapterIndex, buildOutlineTree, type Chapter } from './outline-tree';

interface Props {
  outline: readonly Schema<'OutlineEntryDto'>[];
  currentPage: number;
  onGoToPage: (page: number) => void;
}

/** The chapters of a document as nested lists, with the current one highlighted. */
export function Outline({ outline, currentPage, onGoToPage }: Props) {
  const { t } = useTranslation('reader');
  const navRef = useRef<HTMLElement>(null);
  const chapters = useMemo(() => buildOutlineTree(outline), [outline]);
  const currentIndex = findChapterIndex(outline, currentPage);
  useScrollCurrentIntoView(navRef, currentIndex);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = findFocusTarget(event.key, navRef.current);
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys of the buttons inside
    <nav ref={navRef} className="z-reader-outline" aria-label={t('contents')} onKeyDown={onKeyDown}>
      <ChapterList {...{ chapters, currentIndex, onGoToPage }} />
    </nav>
  );
}

interface ChapterListProps {
  chapters: readonly Chapter[];
  currentIndex: number;
  onGoToPage: (page: number) => void;
}

function ChapterList({ chapters, currentIndex, onGoToPage }: ChapterListProps) {
  const { t } = useTranslation('reader');
  const renderChapter = ({ index, title, page }: Chapter) =>
    page === null ? (
      <span>{title}</span>
    ) : (
      <button
        type="button"
        aria-current={index === currentIndex ? 'location' : undefined}
        onClick={() => onGoToPage(page)}
      >
        <span>{title}</span>
        <span aria-hidden>{page}</span>
        <span className="z-visually-hidden">{t('page', { page })}</span>
      </button>
    );
  return (
    <ul>
      {chapters.map((chapter) => (
        <li key={chapter.index}>
          {renderChapter(chapter)}
          {chapter.children.length > 0 && <ChapterList {...{ currentIndex, onGoToPage }} chapters={chapter.children} />}
        </li>
      ))}
    </ul>
  );
}

/** Returns the chapter that a key leads to; all of them are also reachable with Tab. */
function findFocusTarget(key: string, nav: HTMLElement | null): HTMLElement | undefined {
  const buttons = [...(nav?.querySelectorAll('button') ?? [])];
  const index = buttons.findIndex((button) => button === document.activeElement);
  const indexByKey: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const targetIndex = indexByKey[key];
  return targetIndex === undefined ? undefined : buttons[Math.min(buttons.length - 1, Math.max(0, targetIndex))];
}

/** Scrolls the outline to the current chapter unless it is already visible. */
function useScrollCurrentIntoView(navRef: RefObject<HTMLElement | null>, currentIndex: number) {
  useEffect(() => {
    const nav = navRef.current;
    const currentElement = nav?.querySelector<HTMLElement>('[aria-current]');
    if (!nav || !currentElement) return;
    const [navRect, currentRect] = [nav.getBoundingClientRect(), currentElement.getBoundingClientRect()];
    if (currentRect.top >= navRect.top && currentRect.bottom <= navRect.bottom) return;
    nav.scrollBy({ top: currentRect.top - navRect.top - navRect.height / 3, behavior: 'instant' });
  }, [navRef, currentIndex]);
}
