import { isReaderOnly } from '../../../shared/account/home-preference';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useIsPlanSectionVisible } from '../plan/use-is-plan-section-visible';
import { sectionIds, type SectionId } from './section';

/** The sections that mean something to who is signed in: who only reads has no members to write to. */
export function useVisibleSections(): readonly SectionId[] {
  const user = useSignedInUser();
  const isPlanSectionVisible = useIsPlanSectionVisible();
  const hiddenSections: Partial<Record<SectionId, boolean>> = {
    plan: !isPlanSectionVisible,
    mails: isReaderOnly(user) && !user.postalAddress,
  };
  return sectionIds.filter((id) => !hiddenSections[id]);
}
