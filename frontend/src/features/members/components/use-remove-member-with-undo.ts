import { useTranslation } from 'react-i18next';
import { displayNameOf } from '../../../shared/format/person';
import { toast } from '../../../shared/toast/toast-store';
import { useAnnounceOutcome } from '../../../shared/toast/use-announce-outcome';
import { useMemberRemoval, type Member } from '../api/use-members';

/** Removes a member immediately, optionally with a block, and offers to undo it. */
export function useRemoveMemberWithUndo(zoneId: number) {
  const { t } = useTranslation('members');
  const announce = useAnnounceOutcome();
  const { remove, block, restore } = useMemberRemoval(zoneId);
  const undoRemoval = (member: Member) =>
    announce(restore.mutateAsync(member.userId), {
      onSuccess: () => toast.success(t('remove.undone', { name: displayNameOf(member.user) })),
      failureTitle: t('remove.undoFailed'),
    });
  const removeWith = (mutation: typeof remove, messageKey: 'remove.done' | 'remove.blocked') => (member: Member) =>
    void announce(mutation.mutateAsync(member.userId), {
      onSuccess: () =>
        toast.show({
          title: t(messageKey, { name: displayNameOf(member.user) }),
          undo: () => void undoRemoval(member),
        }),
      failureTitle: t('remove.failed'),
    });
  return { remove: removeWith(remove, 'remove.done'), block: removeWith(block, 'remove.blocked') };
}
