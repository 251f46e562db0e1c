import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { ActionButton } from '../../ui/action-button';
import { getDisplayName, type User } from './user';

/** Reactivates a user, or deactivates one after confirmation. Nothing without permission. */
export function ActivationButton({ user, isCompact = false }: { user: User; isCompact?: boolean }) {
  const { t } = useTranslation('admin');
  const name = getDisplayName(user);
  const requestOptions = { params: { path: { id: user.id } } };
  const size = isCompact ? 'small' : undefined;
  if (user.can.activate) {
    return (
      <ActionButton
        resource="users"
        label={t('users.activate')}
        name={t('users.activateName', { name })}
        size={size}
        call={() => api.POST('/api/admin/users/{id}/activate', requestOptions)}
        successMessage={() => t('users.activated', { name })}
        errorTitle={t('users.changeFailed')}
      />
    );
  }
  if (!user.can.deactivate) return null;
  return (
    <ActionButton
      resource="users"
      label={t('users.deactivate')}
      name={t('users.deactivateName', { name })}
      size={size}
      // In a long list, the confirmation shows the danger; a red button in every row would be too much.
      {...(isCompact ? { variant: 'text', color: 'inherit' } : { color: 'error' })}
      confirm={{ title: t('users.deactivateTitle', { name }), text: t('users.deactivateText') }}
      call={() => api.POST('/api/admin/users/{id}/deactivate', requestOptions)}
      successMessage={() => t('users.deactivated', { name })}
      errorTitle={t('users.changeFailed')}
    />
  );
}
