import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useChange } from '../../ui/use-change';
import { calledName, type UserDetail } from './user';

/** Erases an account at its person's request, once its address has been typed. */
export function DeletePerson({ user, onGone }: { user: UserDetail; onGone: () => void }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const name = calledName(user);
  const remove = useChange<void, unknown>({
    resource: 'users',
    call: () => api.DELETE('/api/admin/users/{id}', { params: { path: { id: user.id } } }),
    done: () => t('deletePerson.done', { name }),
    failed: t('users.changeFailed'),
  });
  const confirm = () => remove.mutate(undefined, { onSuccess: onGone, onError: () => setAsked(false) });
  return (
    <>
      <Button color="error" onClick={() => setAsked(true)}>
        {t('deletePerson.open')}
      </Button>
      <ConfirmDialog
        open={asked}
        title={t('deletePerson.title', { name })}
        confirmLabel={t('deletePerson.submit')}
        typeToConfirm={user.email}
        busy={remove.isPending}
        onConfirm={confirm}
        onClose={() => setAsked(false)}
      >
        {t('deletePerson.text')}
      </ConfirmDialog>
    </>
  );
}
