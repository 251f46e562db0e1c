import { IsBoolean, IsDefined, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { NumberToString, OneLine, Trim } from '../../../platform/http/parsing/fields.js';
import { MissingMessage, localized } from '../../../platform/http/parsing/validation.js';

const productIdMessage = localized('Please enter the product id', 'Lütfen ürün kimliğini girin');
const productNameMessage = localized('Please enter the product name', 'Lütfen ürün adını girin');
const zoneMessage = localized('Please choose a zone', 'Lütfen bir bölge seçin');

// The rules of a field are checked from bottom to top.
@MissingMessage('Please fill in all fields', 'Lütfen tüm alanları doldurun')
export class CreateProductMappingDto {
  /** The shop's product id; a number is accepted as well. */
  @NumberToString()
  @Trim()
  @OneLine()
  @MaxLength(64, localized('The product id is too long', 'Ürün kimliği çok uzun'))
  @IsString(localized('The product id must be text, such as "42"', 'Ürün kimliği "42" gibi bir metin olmalıdır'))
  @IsNotEmpty(productIdMessage)
  @IsDefined(productIdMessage)
  productId: string;

  @Trim()
  @OneLine()
  @MaxLength(255, localized('The product name is too long', 'Ürün adı çok uzun'))
  @IsString(localized('The product name must be text', 'Ürün adı bir metin olmalıdır'))
  @IsNotEmpty(productNameMessage)
  @IsDefined(productNameMessage)
  productName: string;

  @Min(1, zoneMessage)
  @Max(Number.MAX_SAFE_INTEGER, zoneMessage)
  @IsInt(localized('The zone must be given by its id, a number', 'Bölge, kimliği olan sayıyla belirtilir'))
  @IsDefined(zoneMessage)
  zoneId: number;
}

export class SwitchProductMappingDto {
  /** Whether orders of the product give access to the zone. */
  @IsBoolean(localized('Please state whether the mapping is active', 'Lütfen eşlemenin etkin olup olmadığını belirtin'))
  isActive: boolean;
}

export class ProductMappingDto {
  id: number;
  productId: string;
  productName: string;
  zoneId: number;
  zoneName: string;
  isActive: boolean;
  createdAt: Date;
}

/** A zone available for product mappings. */
export class ZoneChoiceDto {
  id: number;
  name: string;
  ownerEmail: string;
  type: 'private' | 'public';
}
