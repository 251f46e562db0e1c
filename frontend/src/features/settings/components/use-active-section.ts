import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { sectionIds, type SectionId } from './section';

/** A section is active once its top is above this fraction of the viewport's height. */
const ACTIVE_LINE_RATIO = 0.3;

/** Returns the active section: the last one whose top is above the line. */
export function useActiveSection(): SectionId {
  const [activeSection, setActiveSection] = useState<SectionId>(sectionIds[0]);
  useEffect(() => {
    const updateActiveSection = () => setActiveSection(findSectionAt(innerHeight * ACTIVE_LINE_RATIO));
    updateActiveSection();
    addEventListener('scroll', updateActiveSection, { passive: true });
    addEventListener('resize', updateActiveSection);
    return () => {
      removeEventListener('scroll', updateActiveSection);
      removeEventListener('resize', updateActiveSection);
    };
  }, []);
  return activeSection;
}

function findSectionAt(activeLine: number): SectionId {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
  const isAtPageEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
  if (isAtPageEnd) return sectionIds.at(-1)!;
  const sectionsAboveLine = sectionIds.filter(
    (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= activeLine,
  );
  return sectionsAboveLine.at(-1) ?? sectionIds[0];
}

/** Scrolls to the section in the URL fragment, when the page opens and on each link to another one. */
export function useScrollToSectionInHash(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    const id = sectionIds.find((sectionId) => `#${sectionId}` === hash);
    if (!id) return;
    document.getElementById(id)?.scrollIntoView();
    document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
  }, [hash, key]);
}
