import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useAdminMutation } from '../../ui/use-admin-mutation';
import { getDisplayName, type User } from './user';

/** Reactivates a user, or deactivates one after confirmation. Nothing without permission. */
export function ActivationButton({ user, isCompact = false }: { user: User; isCompact?: boolean }) {
  const { t } = useTranslation('admin');
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const name = getDisplayName(user);
  const requestOptions = { params: { path: { id: user.id } } };
  const activate = useAdminMutation<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/activate', requestOptions),
    successMessage: () => t('users.activated', { name }),
    errorTitle: t('users.changeFailed'),
  });
  const deactivate = useAdminMutation<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/deactivate', requestOptions),
    successMessage: () => t('users.deactivated', { name }),
    errorTitle: t('users.changeFailed'),
  });
  const size = isCompact ? 'small' : undefined;
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
        // In a long list, the confirmation shows the danger; a red button in every row would be too much.
        {...(isCompact ? { variant: 'text', color: 'inherit' } : { color: 'error' })}
        aria-label={t('users.deactivateName', { name })}
        onClick={(event) => {
          event.stopPropagation();
          setIsConfirmOpen(true);
        }}
      >
        {t('users.deactivate')}
      </Button>
      <span role="presentation" onClick={(event) => event.stopPropagation()}>
        <ConfirmDialog
          open={isConfirmOpen}
          title={t('users.deactivateTitle', { name })}
          confirmLabel={t('users.deactivate')}
          isPending={deactivate.isPending}
          onConfirm={() => deactivate.mutate(undefined, { onSettled: () => setIsConfirmOpen(false) })}
          onClose={() => setIsConfirmOpen(false)}
        >
          {t('users.deactivateText')}
        </ConfirmDialog>
      </span>
    </>
  );
}
