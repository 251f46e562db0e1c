import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { sectionIds, type SectionId } from './section';

/** The line of the window above which the section that counts as read has begun, as a part of its height. */
const readingLine = 0.3;

/** The section that is being looked at: the last one that has begun above the reading line. */
export function useSectionInView(): SectionId {
  const [current, setCurrent] = useState<SectionId>(sectionIds[0]);
  useEffect(() => {
    const look = () => setCurrent(sectionAt(innerHeight * readingLine));
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, []);
  return current;
}

function sectionAt(line: number): SectionId {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
  const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
  if (atEnd) return sectionIds.at(-1)!;
  const begun = sectionIds.filter(
    (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= line,
  );
  return begun.at(-1) ?? sectionIds[0];
}

/** Leads to the section that the address names, when the page is opened and whenever a link names another one. */
export function useSectionOfAddress(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    const id = sectionIds.find((known) => `#${known}` === hash);
    if (!id) return;
    document.getElementById(id)?.scrollIntoView();
    document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
  }, [hash, key]);
}
