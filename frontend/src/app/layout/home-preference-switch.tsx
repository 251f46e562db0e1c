import EditNoteRounded from '@mui/icons-material/EditNoteRounded';
import MenuBookRounded from '@mui/icons-material/MenuBookRounded';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import {
  setHomePreference,
  isOwnerAndMember,
  useHomePreference,
  type HomePreference,
} from '../../shared/account/home-preference';
import type { CurrentUser } from '../../shared/api/current-user';

const preferences = ['reading', 'creating'] as const;

/** For owners who are also members of other zones: chooses which home page comes first, and goes there. */
export function HomePreferenceSwitch({ user, isWide }: { user: CurrentUser; isWide: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const current = useHomePreference();
  const selectPreference = (preference: HomePreference) => {
    setHomePreference(preference);
    void navigate('/');
  };
  if (!isOwnerAndMember(user)) return null;
  if (!isWide) {
    const other = current === 'reading' ? 'creating' : 'reading';
    return (
      <IconButton aria-label={t(`firstPage.to.${other}`)} onClick={() => selectPreference(other)}>
        {other === 'reading' ? <MenuBookRounded /> : <EditNoteRounded />}
      </IconButton>
    );
  }
  return (
    <ToggleButtonGroup exclusive size="small" value={current} aria-label={t('firstPage.label')}>
      {preferences.map((preference) => (
        <ToggleButton key={preference} value={preference} onClick={() => selectPreference(preference)}>
          {t(`firstPage.${preference}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
