import { useTranslation } from 'react-i18next';
import { useStartStep } from '../../shared/account/use-start-step';
import { temporaryAddress } from '../../shared/format/public-address';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { useChangeLink, useDeleteLink, type LinkItem } from './api/use-links';

/** What can be done with a link at once, with its messages. */
export function useLinkActions() {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const change = useChangeLink();
  const deletion = useDeleteLink();
  const tell = useStartStep();

  const copy = async ({ token }: LinkItem) => {
    try {
      await navigator.clipboard.writeText(temporaryAddress(token));
      toast.success(t('copied'));
      tell('link');
    } catch {
      toast.error(t('copyFailed'), t('copyFailedText'));
    }
  };
  const setActive = (link: LinkItem, isActive: boolean, undoable = true) =>
    change.mutate(
      { id: link.id, isActive },
      {
        onSuccess: () =>
          toast.show({
            tone: 'success',
            title: t(isActive ? 'resumed' : 'paused', { name: link.name }),
            undo: undoable ? () => setActive(link, !isActive, false) : undefined,
          }),
        onError: (error) => toast.error(t('changeFailed'), errorText(error)),
      },
    );
  const remove = (link: LinkItem, onDone: () => void) =>
    deletion.mutate(link.id, {
      onSuccess: () => {
        toast.success(t('deleted'));
        onDone();
      },
      onError: (error) => toast.error(t('deleteFailed'), errorText(error)),
    });
  return { copy, setActive, remove, isRemoving: deletion.isPending };
}
