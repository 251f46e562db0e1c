import { isMemberOnly } from '../../../shared/account/home-preference';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useIsPlanSectionVisible } from '../plan/use-is-plan-section-visible';
import { sectionIds, type SectionId } from './section';

/** Returns the sections relevant to the user: members without own zones have no members to email. */
export function useVisibleSections(): readonly SectionId[] {
  const user = useSignedInUser();
  const isPlanSectionVisible = useIsPlanSectionVisible();
  const hiddenSections: Partial<Record<SectionId, boolean>> = {
    plan: !isPlanSectionVisible,
    mails: isMemberOnly(user) && !user.postalAddress,
  };
  return sectionIds.filter((id) => !hiddenSections[id]);
}
