import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useEmailWords } from '../../../shared/site/email-delivery';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useChange } from '../../ui/use-change';
import { ActivationButton } from './activation-button';
import { DeletePerson } from './delete-person';
import { EmailDialog } from './email-dialog';
import { PlanDialog } from './plan-dialog';
import { calledName, type UserDetail } from './user';

/** What may be done with an account; what the viewer may not do is not there. */
export function UserActions({ user, onGone }: { user: UserDetail; onGone: () => void }) {
  const { t } = useTranslation('admin');
  const [planning, setPlanning] = useState(false);
  const [moving, setMoving] = useState(false);
  if (!Object.values(user.can).some(Boolean)) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {user.can.changePlan && <Button onClick={() => setPlanning(true)}>{t('users.changePlan')}</Button>}
      {user.can.changeEmail && <Button onClick={() => setMoving(true)}>{t('emailChange.open')}</Button>}
      {user.can.changeRole && <RoleButtons user={user} />}
      {user.can.sendReset && <SendReset user={user} />}
      {user.can.endSessions && <EndSessions user={user} />}
      {user.can.resetFactors && user.hasFactor && <ResetFactors user={user} />}
      <ActivationButton user={user} />
      {user.can.delete && <DeletePerson user={user} onGone={onGone} />}
      <PlanDialog user={user} open={planning} onClose={() => setPlanning(false)} />
      <EmailDialog user={user} open={moving} onClose={() => setMoving(false)} />
    </Box>
  );
}

function SendReset({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const words = useEmailWords();
  const send = useChange<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/send-reset', { params: { path: { id: user.id } } }),
    done: () => words(t('users.resetSent', { email: user.email })),
    failed: t('users.changeFailed'),
  });
  return (
    <Button loading={send.isPending} onClick={() => send.mutate()}>
      {t('users.sendReset')}
    </Button>
  );
}

function EndSessions({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const end = useChange({
    resource: 'users',
    call: async (_: void) =>
      (await api.POST('/api/admin/users/{id}/end-sessions', { params: { path: { id: user.id } } })).data?.ended ?? 0,
    done: (ended) => t('users.sessionsEnded', { count: ended }),
    failed: t('users.changeFailed'),
  });
  return (
    <Button loading={end.isPending} onClick={() => end.mutate()}>
      {t('users.endSessions')}
    </Button>
  );
}

/** Takes the second factors from somebody who has lost them, after a question. */
function ResetFactors({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const name = calledName(user);
  const reset = useChange<void, unknown>({
    resource: 'users',
    call: () => api.POST('/api/admin/users/{id}/reset-factors', { params: { path: { id: user.id } } }),
    done: () => t('factorReset.done', { name }),
    failed: t('users.changeFailed'),
  });
  return (
    <>
      <Button onClick={() => setAsked(true)}>{t('factorReset.open')}</Button>
      <ConfirmDialog
        open={asked}
        title={t('factorReset.title', { name })}
        confirmLabel={t('factorReset.submit')}
        tone="danger"
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        {t('factorReset.text')}
      </ConfirmDialog>
    </>
  );
}

type Change = { role: 'user' | 'admin' } | { isSuperAdmin: boolean };

/** Admin and super admin, each given or taken after a question. */
function RoleButtons({ user }: { user: UserDetail }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<{ change: Change; what: 'giveAdmin' | 'takeAdmin' | 'giveSuper' | 'takeSuper' }>();
  const name = calledName(user);
  const give = useChange<Change, unknown>({
    resource: 'users',
    call: (body) => api.PATCH('/api/admin/users/{id}/role', { params: { path: { id: user.id } }, body }),
    done: () => t('users.roleChanged', { name }),
    failed: t('users.changeFailed'),
  });
  const isAdmin = user.role === 'admin';
  const ask = {
    admin: { change: { role: isAdmin ? 'user' : 'admin' }, what: isAdmin ? 'takeAdmin' : 'giveAdmin' },
    superAdmin: {
      change: { isSuperAdmin: !user.isSuperAdmin },
      what: user.isSuperAdmin ? 'takeSuper' : 'giveSuper',
    },
  } as const;
  return (
    <>
      <Button onClick={() => setAsked(ask.admin)}>{t(`users.${ask.admin.what}`)}</Button>
      <Button onClick={() => setAsked(ask.superAdmin)}>{t(`users.${ask.superAdmin.what}`)}</Button>
      <ConfirmDialog
        open={asked !== undefined}
        title={asked ? `${t(`users.${asked.what}`)}: ${name}` : ''}
        confirmLabel={asked ? t(`users.${asked.what}`) : ''}
        tone={asked?.what.startsWith('take') ? 'danger' : 'plain'}
        busy={give.isPending}
        onConfirm={() => asked && give.mutate(asked.change, { onSettled: () => setAsked(undefined) })}
        onClose={() => setAsked(undefined)}
      >
        {asked && t(`users.${asked.what}Text`)}
      </ConfirmDialog>
    </>
  );
}
