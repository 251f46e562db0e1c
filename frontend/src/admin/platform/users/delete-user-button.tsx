import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useAdminMutation } from '../../ui/use-admin-mutation';
import { getDisplayName, type UserDetail } from './user';

/** Deletes an account at its owner's request. The email address must be typed to confirm. */
export function DeleteUserButton({ user, onDeleted }: { user: UserDetail; onDeleted: () => void }) {
  const { t } = useTranslation('admin');
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const name = getDisplayName(user);
  const deleteUser = useAdminMutation<void, unknown>({
    resource: 'users',
    call: () => api.DELETE('/api/admin/users/{id}', { params: { path: { id: user.id } } }),
    successMessage: () => t('deletePerson.done', { name }),
    errorTitle: t('users.changeFailed'),
  });
  const confirmDeletion = () =>
    deleteUser.mutate(undefined, { onSuccess: onDeleted, onError: () => setIsConfirmOpen(false) });
  return (
    <>
      <Button color="error" onClick={() => setIsConfirmOpen(true)}>
        {t('deletePerson.open')}
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('deletePerson.title', { name })}
        confirmLabel={t('deletePerson.submit')}
        typeToConfirm={user.email}
        isPending={deleteUser.isPending}
        onConfirm={confirmDeletion}
        onClose={() => setIsConfirmOpen(false)}
      >
        {t('deletePerson.text')}
      </ConfirmDialog>
    </>
  );
}
