import { onlyReads } from '../../../shared/account/first-page';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useShowsPlan } from '../plan/use-shows-plan';
import { sectionIds, type SectionId } from './section';

/** The sections that mean something to who is signed in: who only reads has no members to write to. */
export function useShownSections(): readonly SectionId[] {
  const user = useSignedInUser();
  const showsPlan = useShowsPlan();
  const hidden: Partial<Record<SectionId, boolean>> = {
    plan: !showsPlan,
    mails: onlyReads(user) && !user.postalAddress,
  };
  return sectionIds.filter((id) => !hidden[id]);
}
