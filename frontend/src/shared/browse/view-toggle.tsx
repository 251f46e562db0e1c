import GridViewRounded from '@mui/icons-material/GridViewRounded';
import ViewListRounded from '@mui/icons-material/ViewListRounded';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { useIsMobile } from '../hooks/use-is-mobile';
import { useStoredChoice } from '../hooks/use-stored-choice';

export const viewModes = ['grid', 'list'] as const;
export type ViewMode = (typeof viewModes)[number];

const icons = { grid: GridViewRounded, list: ViewListRounded };

/** Grid or list for the view `name`, remembered in this browser; `initial` until the user chooses. */
export function useViewMode(name: string, initial: ViewMode = 'grid'): [ViewMode, (view: ViewMode) => void] {
  return useStoredChoice(`${name}.view`, viewModes, initial);
}

interface Props {
  view: ViewMode;
  onChange: (view: ViewMode) => void;
}

/** Switches between grid and list; on phones a single button that toggles. */
export function ViewToggle({ view, onChange }: Props) {
  const { t } = useTranslation('browse');
  const isMobile = useIsMobile();
  if (isMobile) return <OtherViewButton view={view} onChange={onChange} />;
  return (
    <ToggleButtonGroup
      exclusive
      value={view}
      aria-label={t('view.label')}
      onChange={(_event, next: ViewMode | null) => next && onChange(next)}
    >
      {viewModes.map((name) => {
        const Icon = icons[name];
        return (
          <ToggleButton key={name} value={name} aria-label={t(`view.${name}`)} sx={{ px: 2 }}>
            <Tooltip title={t(`view.${name}`)} describeChild>
              <Icon />
            </Tooltip>
          </ToggleButton>
        );
      })}
    </ToggleButtonGroup>
  );
}

function OtherViewButton({ view, onChange }: Props) {
  const { t } = useTranslation('browse');
  const other = view === 'grid' ? 'list' : 'grid';
  const Icon = icons[other];
  return (
    <Tooltip title={t(`view.${other}`)}>
      <IconButton aria-label={t(`view.${other}`)} onClick={() => onChange(other)}>
        <Icon />
      </IconButton>
    </Tooltip>
  );
}
