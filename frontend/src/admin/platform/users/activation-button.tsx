import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useChange } from '../../ui/use-change';
import { calledName, type User } from './user';

/** Lets somebody in, or shuts them out after a question. Nothing for those who may not. */
export function ActivationButton({ user, small = false }: { user: User; small?: boolean }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const name = calledName(user);
  const path = { params: { path: { id: user.id } } };
  const activate = useChange<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/activate', path),
    done: () => t('users.activated', { name }),
    failed: t('users.changeFailed'),
  });
  const deactivate = useChange<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/deactivate', path),
    done: () => t('users.deactivated', { name }),
    failed: t('users.changeFailed'),
  });
  const size = small ? 'small' : undefined;
  if (user.can.activate) {
    return (
      <Button
        size={size}
        loading={activate.isPending}
        aria-label={t('users.activateName', { name })}
        onClick={(event) => {
          event.stopPropagation();
          activate.mutate();
        }}
      >
        {t('users.activate')}
      </Button>
    );
  }
  if (!user.can.deactivate) return null;
  return (
    <>
      <Button
        size={size}
        // In a list of many people the danger is told by the question, not by every row.
        {...(small ? { variant: 'text', color: 'inherit' } : { color: 'error' })}
        aria-label={t('users.deactivateName', { name })}
        onClick={(event) => {
          event.stopPropagation();
          setAsked(true);
        }}
      >
        {t('users.deactivate')}
      </Button>
      <span role="presentation" onClick={(event) => event.stopPropagation()}>
        <ConfirmDialog
          open={asked}
          title={t('users.deactivateTitle', { name })}
          confirmLabel={t('users.deactivate')}
          busy={deactivate.isPending}
          onConfirm={() => deactivate.mutate(undefined, { onSettled: () => setAsked(false) })}
          onClose={() => setAsked(false)}
        >
          {t('users.deactivateText')}
        </ConfirmDialog>
      </span>
    </>
  );
}
