import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useEmailSentText } from '../../../shared/site/email-delivery';
import { ActionButton } from '../../ui/action-button';
import { ActivationButton } from './activation-button';
import { ChangeEmailDialog } from './change-email-dialog';
import { GrantPlanDialog } from './grant-plan-dialog';
import { getDisplayName, type UserDetail } from './user';

/** Actions on an account; those without permission are hidden. */
export function UserActions({ user, onDeleted }: { user: UserDetail; onDeleted: () => void }) {
  const { t } = useTranslation('admin');
  const withDeliveryNote = useEmailSentText();
  const [isPlanDialogOpen, setIsPlanDialogOpen] = useState(false);
  const [isEmailDialogOpen, setIsEmailDialogOpen] = useState(false);
  if (!Object.values(user.can).some(Boolean)) return null;
  const name = getDisplayName(user);
  const requestOptions = { params: { path: { id: user.id } } };
  const common = { resource: 'users', errorTitle: t('users.changeFailed') } as const;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {user.can.changePlan && <Button onClick={() => setIsPlanDialogOpen(true)}>{t('users.changePlan')}</Button>}
      {user.can.changeEmail && <Button onClick={() => setIsEmailDialogOpen(true)}>{t('emailChange.open')}</Button>}
      {user.can.changeRole && <RoleButtons user={user} />}
      {user.can.sendReset && (
        <ActionButton
          {...common}
          label={t('users.sendReset')}
          call={() => api.POST('/api/admin/users/{id}/send-reset', requestOptions)}
          successMessage={() => withDeliveryNote(t('users.resetSent', { email: user.email }))}
        />
      )}
      {user.can.endSessions && (
        <ActionButton
          {...common}
          label={t('users.endSessions')}
          call={async () => (await api.POST('/api/admin/users/{id}/end-sessions', requestOptions)).data?.ended ?? 0}
          successMessage={(ended) => t('users.sessionsEnded', { count: ended })}
        />
      )}
      {user.can.resetFactors && user.hasFactor && (
        <ActionButton
          {...common}
          label={t('factorReset.open')}
          confirm={{
            title: t('factorReset.title', { name }),
            text: t('factorReset.text'),
            label: t('factorReset.submit'),
          }}
          call={() => api.POST('/api/admin/users/{id}/reset-factors', requestOptions)}
          successMessage={() => t('factorReset.done', { name })}
        />
      )}
      <ActivationButton user={user} />
      {user.can.delete && (
        <ActionButton
          {...common}
          color="error"
          label={t('deletePerson.open')}
          confirm={{
            title: t('deletePerson.title', { name }),
            text: t('deletePerson.text'),
            label: t('deletePerson.submit'),
            typeToConfirm: user.email,
          }}
          call={() => api.DELETE('/api/admin/users/{id}', requestOptions)}
          successMessage={() => t('deletePerson.done', { name })}
          onDone={onDeleted}
        />
      )}
      <GrantPlanDialog user={user} open={isPlanDialogOpen} onClose={() => setIsPlanDialogOpen(false)} />
      <ChangeEmailDialog user={user} open={isEmailDialogOpen} onClose={() => setIsEmailDialogOpen(false)} />
    </Box>
  );
}

/** Grant and revoke the admin and super admin roles, after confirmation. */
function RoleButtons({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const name = getDisplayName(user);
  const isAdmin = user.role === 'admin';
  const changes = [
    { action: isAdmin ? 'takeAdmin' : 'giveAdmin', body: { role: isAdmin ? 'user' : 'admin' } },
    { action: user.isSuperAdmin ? 'takeSuper' : 'giveSuper', body: { isSuperAdmin: !user.isSuperAdmin } },
  ] as const;
  return changes.map(({ action, body }) => (
    <ActionButton
      // Not by the action, which changes while its confirmation closes.
      key={'role' in body ? 'admin' : 'superAdmin'}
      resource="users"
      label={t(`users.${action}`)}
      confirm={{
        title: `${t(`users.${action}`)}: ${name}`,
        text: t(`users.${action}Text`),
        tone: action.startsWith('take') ? 'danger' : 'plain',
      }}
      call={() => api.PATCH('/api/admin/users/{id}/role', { params: { path: { id: user.id } }, body })}
      successMessage={() => t('users.roleChanged', { name })}
      errorTitle={t('users.changeFailed')}
    />
  ));
}
