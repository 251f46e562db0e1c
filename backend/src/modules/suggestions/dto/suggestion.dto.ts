import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { OneLine, OneOf, Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { MissingMessage, say } from '../../../platform/http/reading/validation.js';
import {
  suggestionCategories,
  suggestionPriorities,
  suggestionStatuses,
  type SuggestionCategory,
  type SuggestionPriority,
  type SuggestionStatus,
} from '../entities/feature-suggestion.entity.js';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import { Type } from 'class-transformer';

export const suggestionSorts = catalogue(['votes', 'newest']);
export type SuggestionSort = (typeof suggestionSorts)[number];

const titleLength = say('The title must have 5 to 100 characters', 'Başlık 5 ile 100 karakter arasında olmalıdır');
const descriptionLength = say(
  'The description must have 20 to 1000 characters',
  'Açıklama 20 ile 1000 karakter arasında olmalıdır',
);
const knownCategory = say(
  'The category must be feature, bug or improvement',
  'Kategori özellik, hata veya iyileştirme olmalıdır',
);
const knownStatus = say("This status doesn't exist", 'Böyle bir durum yok');
const knownPriority = say('The priority must be low, medium or high', 'Öncelik düşük, orta veya yüksek olmalıdır');
const notesLength = say('The notes can have up to 500 characters', 'Notlar en fazla 500 karakter olabilir');
const hoursRange = say(
  'The estimate must be a whole number from 1 to 200',
  'Tahmin 1 ile 200 arasında bir tam sayı olmalıdır',
);
const versionLength = say('The version can have up to 20 characters', 'Sürüm en fazla 20 karakter olabilir');

export class SuggestionQueryDto extends ListQueryDto {
  /** Left out for all. */
  @OneOf(suggestionStatuses, knownStatus)
  status?: SuggestionStatus;

  @OneOf(suggestionCategories, knownCategory)
  category?: SuggestionCategory;

  /** Words from the title or the description. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;

  /** Most votes first when left out. */
  @OneOf(suggestionSorts, say('Must be votes or newest', 'votes veya newest olmalıdır'))
  sort?: SuggestionSort;
}

export class AdminSuggestionQueryDto extends AdminListQueryDto {
  @OneOf(suggestionStatuses, knownStatus)
  status?: SuggestionStatus;

  @OneOf(suggestionCategories, knownCategory)
  category?: SuggestionCategory;
}

@MissingMessage('Please fill in all required fields.', 'Lütfen tüm zorunlu alanları doldurun.')
export class CreateSuggestionDto {
  @Trimmed()
  @OneLine()
  @MaxLength(100, titleLength)
  @MinLength(5, titleLength)
  @IsString(titleLength)
  title: string;

  @Trimmed()
  @MaxLength(1000, descriptionLength)
  @MinLength(20, descriptionLength)
  @IsString(descriptionLength)
  description: string;

  /** Default: feature. */
  @Optional()
  @IsIn(suggestionCategories, knownCategory)
  @ApiProperty({ enum: suggestionCategories, required: false })
  category?: SuggestionCategory;
}

/** What is left out stays; null takes notes, estimate or version away. */
export class UpdateSuggestionDto {
  @Optional()
  @Trimmed()
  @OneLine()
  @MaxLength(100, titleLength)
  @MinLength(5, titleLength)
  @IsString(titleLength)
  title?: string;

  @Optional()
  @Trimmed()
  @MaxLength(1000, descriptionLength)
  @MinLength(20, descriptionLength)
  @IsString(descriptionLength)
  description?: string;

  @Optional()
  @IsIn(suggestionStatuses, knownStatus)
  @ApiProperty({ enum: suggestionStatuses, required: false })
  status?: SuggestionStatus;

  @Optional()
  @IsIn(suggestionPriorities, knownPriority)
  @ApiProperty({ enum: suggestionPriorities, required: false })
  priority?: SuggestionPriority;

  /** Visible to everyone. */
  @IsOptional()
  @Trimmed()
  @MaxLength(500, notesLength)
  @IsString(notesLength)
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 500 })
  adminNotes?: string | null;

  @IsOptional()
  @Max(200, hoursRange)
  @Min(1, hoursRange)
  @IsInt(hoursRange)
  @ApiProperty({ type: Number, nullable: true, required: false, minimum: 1, maximum: 200 })
  estimatedHours?: number | null;

  @IsOptional()
  @Trimmed()
  @OneLine()
  @MaxLength(20, versionLength)
  @IsString(versionLength)
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 20 })
  targetVersion?: string | null;
}

export class SuggestionAbilitiesDto {
  update: boolean;
  delete: boolean;
  /** Edit or withdraw one's own suggestion. */
  edit: boolean;
  vote: boolean;
  /** Merge it into another one. */
  merge: boolean;
  /** Undo the merge. */
  unmerge: boolean;
}

/** The suggestion that another one was merged into. */
export class MergedIntoDto {
  id: number;
  title: string;
  /** Votes of both suggestions; people who voted for both count once. */
  voteCount: number;
}

export class SuggestionDto {
  id: number;
  title: string;
  description: string;
  @ApiProperty({ enum: suggestionCategories })
  category: SuggestionCategory;
  @ApiProperty({ enum: suggestionStatuses })
  status: SuggestionStatus;
  @ApiProperty({ enum: suggestionPriorities })
  priority: SuggestionPriority;
  /** null if the person has no name or their account was deleted. */
  submitterName: string | null;
  createdAt: Date;
  updatedAt: Date;
  adminNotes: string | null;
  estimatedHours: number | null;
  targetVersion: string | null;
  /** Votes, including merged suggestions; for a merged suggestion, the votes at the time of the merge. */
  voteCount: number;
  /** Whether the viewer voted for it or for a suggestion merged into it. */
  userVoted: boolean;
  /** Whether the viewer submitted it. */
  isOwn: boolean;
  /** The suggestion it was merged into; null if it isn't merged. */
  mergedInto: MergedIntoDto | null;
  /** Number of suggestions merged into it. */
  mergedCount: number;
  /** What the viewer may do. */
  can: SuggestionAbilitiesDto;
}

/** A row of the administrators' list. */
export class AdminSuggestionDto extends SuggestionDto {
  submitterEmail: string | null;
}

const wanted = say('Please choose the suggestion to merge into', 'Lütfen birleştirilecek öneriyi seçin');

export class MergeSuggestionDto {
  /** The suggestion that remains and counts the votes of both. */
  @Max(Number.MAX_SAFE_INTEGER, wanted)
  @Min(1, wanted)
  @IsInt(wanted)
  @Type(() => Number)
  intoId: number;
}

const titleWanted = say(
  'Please enter a title of at most 100 characters',
  'Lütfen en fazla 100 karakterlik bir başlık girin',
);

/** What its author may change of a suggestion; what is left out stays. */
export class SuggestionWordsDto extends PickType(UpdateSuggestionDto, ['title', 'description'] as const) {
  @Optional()
  @IsIn(suggestionCategories, knownCategory)
  @ApiProperty({ enum: suggestionCategories, required: false })
  category?: SuggestionCategory;
}

export class SimilarQueryDto {
  @Trimmed()
  @OneLine()
  @MaxLength(100, titleWanted)
  @MinLength(1, titleWanted)
  @IsString(titleWanted)
  title: string;
}
