"""Certificates for servers on the loopback, each good or wrong in one way, and contexts that serve with them."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Wrong: TypeAlias = Literal["wrong host", "expired", "not yet valid", "self-signed", "unknown authority"]
WRONGS: tuple[Wrong, ...] = get_args(Wrong)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Certificates:
    """Files in a folder of their own. `authority` is the certificate that a person who trusts these has."""

    folder: Path
    authority: Path

    def serving(self, wrong: Wrong | None = None) -> ssl.SSLContext:
        """What a server at 127.0.0.1 shows: a good certificate, or one that is wrong in this way."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{wrong or 'good'}.pem")
        return context


def certificates(folder: Path) -> Certificates:
    """An authority and what it signed, written to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    authority, stranger = _Authority("Studio Authority"), _Authority("Nobody Knows")
    _write(folder / "good.pem", *authority.signs("127.0.0.1", now - _DAY, now + _DAY))
    _write(folder / "wrong host.pem", *authority.signs("elsewhere.example", now - _DAY, now + _DAY))
    _write(folder / "expired.pem", *authority.signs("127.0.0.1", now - 9 * _DAY, now - _DAY))
    _write(folder / "not yet valid.pem", *authority.signs("127.0.0.1", now + _DAY, now + 9 * _DAY))
    _write(folder / "unknown authority.pem", *stranger.signs("127.0.0.1", now - _DAY, now + _DAY))
    alone = _Authority("127.0.0.1", "127.0.0.1")
    _write(folder / "self-signed.pem", alone.key, alone.certificate)
    trusted = folder / "authority.pem"
    trusted.write_bytes(authority.certificate.public_bytes(serialization.Encoding.PEM))
    return Certificates(folder, trusted)


class _Authority:
    """A key with a certificate that it signed itself."""

    def __init__(self, name: str, host: str = "") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        self.certificate = self._signed(self._name, self.key, host, now - 20 * _DAY, now + 20 * _DAY, authority=True)

    def signs(
        self, host: str, begin: datetime, end: datetime
    ) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
        """A key, and a certificate for it at this host."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        return key, self._signed(subject, key, host, begin, end, authority=False)

    def _signed(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, host: str, begin: datetime, end: datetime, *,
        authority: bool,
    ) -> x509.Certificate:
        made = x509.CertificateBuilder(
            self._name, subject, key.public_key(), x509.random_serial_number(), begin, end
        ).add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        made = made.add_extension(issuer, critical=False)
        if host:
            name = x509.IPAddress(ipaddress.ip_address(host)) if host[0].isdigit() else x509.DNSName(host)
            made = made.add_extension(x509.SubjectAlternativeName([name]), critical=False)
        return made.sign(self.key, hashes.SHA256())


def _write(path: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
