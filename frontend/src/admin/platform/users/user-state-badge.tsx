import { useTranslation } from 'react-i18next';
import { Badge } from '../../../shared/ui/badge';
import { stateTones, type User } from './user';

/** Whether the user can sign in. */
export function UserStateBadge({ user: { state } }: { user: Pick<User, 'state'> }) {
  const { t } = useTranslation('admin');
  return <Badge tone={stateTones[state]}>{t(`users.states.${state}`)}</Badge>;
}
