import { useTranslation } from 'react-i18next';
import { useCompleteOnboardingStep } from '../../shared/account/use-onboarding';
import { temporaryLinkUrl } from '../../shared/format/zone-urls';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { useUpdateLink, useDeleteLink, type LinkItem } from './api/use-links';

/** Immediate actions for a link, with their toasts. */
export function useLinkActions() {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const updateLink = useUpdateLink();
  const deleteLink = useDeleteLink();
  const completeOnboardingStep = useCompleteOnboardingStep();

  const copy = async ({ token }: LinkItem) => {
    try {
      await navigator.clipboard.writeText(temporaryLinkUrl(token));
      toast.success(t('copied'));
      completeOnboardingStep('link');
    } catch {
      toast.error(t('copyFailed'), t('copyFailedText'));
    }
  };
  const setActive = (link: LinkItem, isActive: boolean, canUndo = true) =>
    updateLink.mutate(
      { id: link.id, isActive },
      {
        onSuccess: () =>
          toast.show({
            tone: 'success',
            title: t(isActive ? 'resumed' : 'paused', { name: link.name }),
            undo: canUndo ? () => setActive(link, !isActive, false) : undefined,
          }),
        onError: (error) => toast.error(t('changeFailed'), errorText(error)),
      },
    );
  const remove = (link: LinkItem, onDone: () => void) =>
    deleteLink.mutate(link.id, {
      onSuccess: () => {
        toast.success(t('deleted'));
        onDone();
      },
      onError: (error) => toast.error(t('deleteFailed'), errorText(error)),
    });
  return { copy, setActive, remove, isRemoving: deleteLink.isPending };
}
