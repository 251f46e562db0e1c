import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useEmailSentText } from '../../../shared/site/email-delivery';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useAdminMutation } from '../../ui/use-admin-mutation';
import { ActivationButton } from './activation-button';
import { DeleteUserButton } from './delete-user-button';
import { ChangeEmailDialog } from './change-email-dialog';
import { GrantPlanDialog } from './grant-plan-dialog';
import { getDisplayName, type UserDetail } from './user';

/** Actions on an account; those without permission are hidden. */
export function UserActions({ user, onDeleted }: { user: UserDetail; onDeleted: () => void }) {
  const { t } = useTranslation('admin');
  const [isPlanDialogOpen, setIsPlanDialogOpen] = useState(false);
  const [isEmailDialogOpen, setIsEmailDialogOpen] = useState(false);
  if (!Object.values(user.can).some(Boolean)) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {user.can.changePlan && <Button onClick={() => setIsPlanDialogOpen(true)}>{t('users.changePlan')}</Button>}
      {user.can.changeEmail && <Button onClick={() => setIsEmailDialogOpen(true)}>{t('emailChange.open')}</Button>}
      {user.can.changeRole && <RoleButtons user={user} />}
      {user.can.sendReset && <SendPasswordResetButton user={user} />}
      {user.can.endSessions && <EndSessionsButton user={user} />}
      {user.can.resetFactors && user.hasFactor && <ResetFactorsButton user={user} />}
      <ActivationButton user={user} />
      {user.can.delete && <DeleteUserButton user={user} onDeleted={onDeleted} />}
      <GrantPlanDialog user={user} open={isPlanDialogOpen} onClose={() => setIsPlanDialogOpen(false)} />
      <ChangeEmailDialog user={user} open={isEmailDialogOpen} onClose={() => setIsEmailDialogOpen(false)} />
    </Box>
  );
}

function SendPasswordResetButton({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const withDeliveryNote = useEmailSentText();
  const sendReset = useAdminMutation<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/send-reset', { params: { path: { id: user.id } } }),
    successMessage: () => withDeliveryNote(t('users.resetSent', { email: user.email })),
    errorTitle: t('users.changeFailed'),
  });
  return (
    <Button loading={sendReset.isPending} onClick={() => sendReset.mutate()}>
      {t('users.sendReset')}
    </Button>
  );
}

function EndSessionsButton({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const endSessions = useAdminMutation({
    resource: 'users',
    call: async (_: void) =>
      (await api.POST('/api/admin/users/{id}/end-sessions', { params: { path: { id: user.id } } })).data?.ended ?? 0,
    successMessage: (ended) => t('users.sessionsEnded', { count: ended }),
    errorTitle: t('users.changeFailed'),
  });
  return (
    <Button loading={endSessions.isPending} onClick={() => endSessions.mutate()}>
      {t('users.endSessions')}
    </Button>
  );
}

/** Removes the second factors of a user who has lost them, after confirmation. */
function ResetFactorsButton({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const name = getDisplayName(user);
  const resetFactors = useAdminMutation<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/reset-factors', { params: { path: { id: user.id } } }),
    successMessage: () => t('factorReset.done', { name }),
    errorTitle: t('users.changeFailed'),
  });
  return (
    <>
      <Button onClick={() => setIsConfirmOpen(true)}>{t('factorReset.open')}</Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('factorReset.title', { name })}
        confirmLabel={t('factorReset.submit')}
        tone="danger"
        isPending={resetFactors.isPending}
        onConfirm={() => resetFactors.mutate(undefined, { onSettled: () => setIsConfirmOpen(false) })}
        onClose={() => setIsConfirmOpen(false)}
      >
        {t('factorReset.text')}
      </ConfirmDialog>
    </>
  );
}

type RoleChange = { role: 'user' | 'admin' } | { isSuperAdmin: boolean };

/** Grants and revokes the admin and super admin roles, after confirmation. */
function RoleButtons({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const [pendingChange, setPendingChange] = useState<{
    change: RoleChange;
    actionKey: 'giveAdmin' | 'takeAdmin' | 'giveSuper' | 'takeSuper';
  }>();
  const name = getDisplayName(user);
  const changeRole = useAdminMutation<RoleChange, unknown>({
    resource: 'users',
    call: (body) => api.PATCH('/api/admin/users/{id}/role', { params: { path: { id: user.id } }, body }),
    successMessage: () => t('users.roleChanged', { name }),
    errorTitle: t('users.changeFailed'),
  });
  const isAdmin = user.role === 'admin';
  const roleChanges = {
    admin: { change: { role: isAdmin ? 'user' : 'admin' }, actionKey: isAdmin ? 'takeAdmin' : 'giveAdmin' },
    superAdmin: {
      change: { isSuperAdmin: !user.isSuperAdmin },
      actionKey: user.isSuperAdmin ? 'takeSuper' : 'giveSuper',
    },
  } as const;
  return (
    <>
      <Button onClick={() => setPendingChange(roleChanges.admin)}>{t(`users.${roleChanges.admin.actionKey}`)}</Button>
      <Button onClick={() => setPendingChange(roleChanges.superAdmin)}>
        {t(`users.${roleChanges.superAdmin.actionKey}`)}
      </Button>
      <ConfirmDialog
        open={pendingChange !== undefined}
        title={pendingChange ? `${t(`users.${pendingChange.actionKey}`)}: ${name}` : ''}
        confirmLabel={pendingChange ? t(`users.${pendingChange.actionKey}`) : ''}
        tone={pendingChange?.actionKey.startsWith('take') ? 'danger' : 'plain'}
        isPending={changeRole.isPending}
        onConfirm={() =>
          pendingChange && changeRole.mutate(pendingChange.change, { onSettled: () => setPendingChange(undefined) })
        }
        onClose={() => setPendingChange(undefined)}
      >
        {pendingChange && t(`users.${pendingChange.actionKey}Text`)}
      </ConfirmDialog>
    </>
  );
}
