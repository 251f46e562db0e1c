import { useTranslation } from 'react-i18next';
import { useCompleteOnboardingStep } from '../../shared/account/use-onboarding';
import { itemLinkUrl, temporaryLinkUrl } from '../../shared/format/zone-urls';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { useDeleteItemLink, useUpdateItemLink } from './api/use-item-links';
import { useDeleteLink, useUpdateLink } from './api/use-links';

interface Link {
  readonly id: number;
  readonly name: string;
  readonly token: string;
}

/** The requests, URLs and texts of one kind of link. */
interface LinkKind {
  readonly updateLink: (change: { id: number; isActive: boolean }) => Promise<unknown>;
  readonly deleteLink: (id: number) => Promise<unknown>;
  readonly urlOf: (token: string) => string;
  readonly deletedTitle: string;
  readonly deleteFailedTitle: string;
}

/** Immediate actions for a temporary link, with their toasts. */
export function useLinkActions() {
  const { t } = useTranslation('links');
  const deleteLink = useDeleteLink();
  const actions = useActions({
    updateLink: useUpdateLink().mutateAsync,
    deleteLink: deleteLink.mutateAsync,
    urlOf: temporaryLinkUrl,
    deletedTitle: t('deleted'),
    deleteFailedTitle: t('deleteFailed'),
  });
  return { ...actions, isRemoving: deleteLink.isPending };
}

/** The same for a link to a file or folder. */
export function useItemLinkActions() {
  const { t } = useTranslation('links');
  const deleteLink = useDeleteItemLink();
  const actions = useActions({
    updateLink: useUpdateItemLink().mutateAsync,
    deleteLink: deleteLink.mutateAsync,
    urlOf: itemLinkUrl,
    deletedTitle: t('item.deleted'),
    deleteFailedTitle: t('item.deleteFailed'),
  });
  return { ...actions, isRemoving: deleteLink.isPending };
}

function useActions({ updateLink, deleteLink, urlOf, deletedTitle, deleteFailedTitle }: LinkKind) {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const completeOnboardingStep = useCompleteOnboardingStep();

  const copy = async ({ token }: Link) => {
    try {
      await navigator.clipboard.writeText(urlOf(token));
      toast.success(t('copied'));
      completeOnboardingStep('link');
    } catch {
      toast.error(t('copyFailed'), t('copyFailedText'));
    }
  };
  const setActive = async (link: Link, isActive: boolean, canUndo = true) => {
    try {
      await updateLink({ id: link.id, isActive });
      toast.show({
        tone: 'success',
        title: t(isActive ? 'resumed' : 'paused', { name: link.name }),
        undo: canUndo ? () => void setActive(link, !isActive, false) : undefined,
      });
    } catch (error) {
      toast.error(t('changeFailed'), errorText(error));
    }
  };
  const remove = async (link: Link, onDone: () => void) => {
    try {
      await deleteLink(link.id);
      toast.success(deletedTitle);
      onDone();
    } catch (error) {
      toast.error(deleteFailedTitle, errorText(error));
    }
  };
  return { copy, setActive, remove };
}
