import { useTranslation } from 'react-i18next';
import { displayNameOf } from '../../../shared/format/person';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { useMemberRemoval, type Member } from '../api/use-members';

/** Removes a member immediately, optionally with a block, and offers to undo it. */
export function useRemoveMemberWithUndo(zoneId: number) {
  const { t } = useTranslation('members');
  const errorText = useErrorText();
  const { remove, block, restore } = useMemberRemoval(zoneId);
  const undoRemoval = (member: Member) =>
    restore.mutate(member.userId, {
      onSuccess: () => toast.success(t('remove.undone', { name: displayNameOf(member.user) })),
      onError: (error) => toast.error(t('remove.undoFailed'), errorText(error)),
    });
  const removeWith = (mutation: typeof remove, messageKey: 'remove.done' | 'remove.blocked') => (member: Member) =>
    mutation.mutate(member.userId, {
      onSuccess: () =>
        toast.show({ title: t(messageKey, { name: displayNameOf(member.user) }), undo: () => undoRemoval(member) }),
      onError: (error) => toast.error(t('remove.failed'), errorText(error)),
    });
  return { remove: removeWith(remove, 'remove.done'), block: removeWith(block, 'remove.blocked') };
}
