import Button from '@mui/material/Button';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useNow } from '../../../shared/hooks/use-now';
import { toast } from '../../../shared/toast/toast-store';
import { getExpiry } from '../expiry';
import type { SharedZone } from '../sort-shared-zones';

/** Removes a zone from the list after the membership has ended, and offers to undo it. */
export function DismissZoneButton({ zone: { id, name, memberExpiresAt } }: { zone: SharedZone }) {
  const { t } = useTranslation('sharedZones');
  const errorText = useErrorText();
  const invalidate = useInvalidate();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const { mutateAsync: restoreAsync } = $api.useMutation('post', '/api/shared-zones/{id}/restore');
  // Not in the mutation's callbacks: this component is gone with its row by then.
  const undo = async () => {
    try {
      await restoreAsync({ params: { path: { id } } });
      await invalidate('POST /api/shared-zones/{id}/restore');
      toast.success(t('dismiss.undone'));
    } catch (error) {
      toast.error(t('dismiss.undoFailed'), errorText(error));
    }
  };
  const dismissal = $api.useMutation('delete', '/api/shared-zones/{id}', {
    onSuccess: () => {
      const message = t('dismiss.doneText', { name });
      toast.show({ tone: 'success', title: t('dismiss.done'), message, undo: () => void undo() });
      focusNextRow(buttonRef.current);
      return invalidate('DELETE /api/shared-zones/{id}');
    },
    onError: (error) => toast.error(t('dismiss.failed'), errorText(error)),
  });
  if (getExpiry(memberExpiresAt, useNow()).kind !== 'expired') return null;
  return (
    <Button
      ref={buttonRef}
      disabled={dismissal.isPending}
      aria-label={t('dismiss.actionOf', { name })}
      onClick={() => dismissal.mutate({ params: { path: { id } } })}
    >
      {t('dismiss.action')}
    </Button>
  );
}

/** The button disappears with its row: focuses the next row, or the page heading if there is none. */
function focusNextRow(button: HTMLElement | null): void {
  const { activeElement } = document;
  // The user has moved the focus elsewhere in the meantime.
  if (activeElement !== button && activeElement !== document.body) return;
  const rows = [...document.querySelectorAll('main :is([role="listitem"], [role="row"])')];
  const row = button?.closest('[role="listitem"], [role="row"]');
  const next = row && rows[rows.indexOf(row) + 1]?.querySelector<HTMLElement>('a, button');
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  (next ?? heading)?.focus();
}
