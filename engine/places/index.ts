export { ANYWHERE, type PhonePlace, placeOfPhone, stateNamed, zonesOfState } from '../places.js';
export * from './zip-zones.js';
