import { useTranslation } from 'react-i18next';
import { nameOf } from '../../../shared/format/person';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { useRemoveMember, type Member } from '../api/use-members';

/** Takes a member out at once, blocking them or not, and offers to take that back. */
export function useRemoval(zoneId: number) {
  const { t } = useTranslation('members');
  const errorText = useErrorText();
  const { remove, block, restore } = useRemoveMember(zoneId);
  const giveBack = (member: Member) =>
    restore.mutate(member.userId, {
      onSuccess: () => toast.success(t('remove.undone', { name: nameOf(member.user) })),
      onError: (error) => toast.error(t('remove.undoFailed'), errorText(error)),
    });
  const takeOut = (change: typeof remove, done: 'remove.done' | 'remove.blocked') => (member: Member) =>
    change.mutate(member.userId, {
      onSuccess: () => toast.show({ title: t(done, { name: nameOf(member.user) }), undo: () => giveBack(member) }),
      onError: (error) => toast.error(t('remove.failed'), errorText(error)),
    });
  return { remove: takeOut(remove, 'remove.done'), block: takeOut(block, 'remove.blocked') };
}
